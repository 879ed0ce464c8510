import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { S3ClientConfig } from '@aws-sdk/client-s3';
import { lookupOf } from './address.ts';
import type { StoreConnection } from './client.ts';
import { refusingUpgrades } from './s3-agent.ts';

/** Timeouts and number of attempts for requests to an object store. Tests use shorter times. */
export interface Patience {
  /** Maximum time to open a connection, in milliseconds. */
  connectMs: number;
  /** Idle timeout in milliseconds: maximum time without data on the connection. */
  idleMs: number;
  /** Maximum number of attempts for a request, including the first attempt. */
  attempts: number;
}

export const PATIENCE: Patience = { connectMs: 10_000, idleMs: 30_000, attempts: 3 };

/**
 * Returns the configuration of the AWS SDK. Every option is set, because otherwise the SDK would read environment
 * variables and files of the system user.
 */
export function configOf(connection: StoreConnection, { connectMs, idleMs, attempts }: Patience): S3ClientConfig {
  const agent = { keepAlive: true, maxSockets: 16, lookup: lookupOf(connection) };
  return {
    endpoint: connection.endpoint,
    region: connection.region,
    forcePathStyle: connection.pathStyle,
    credentials: { accessKeyId: connection.accessKey, secretAccessKey: connection.secretKey },
    maxAttempts: attempts,
    retryMode: 'standard',
    defaultsMode: 'standard',
    useFipsEndpoint: false,
    useDualstackEndpoint: false,
    useArnRegion: false,
    disableMultiregionAccessPoints: true,
    disableS3ExpressSessionAuth: true,
    followRegionRedirects: false,
    // Send a checksum only in requests that need one. S3 servers other than Amazon S3 do not support newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    /*
     * Disable `Expect: 100-continue`. With this header, the AWS SDK opens connections without Davit's check of IP
     * addresses.
     */
    expectContinueHeader: false,
    requestHandler: {
      connectionTimeout: connectMs,
      socketTimeout: idleMs,
      httpAgent: refusingUpgrades(new HttpAgent(agent)),
      httpsAgent: refusingUpgrades(new HttpsAgent(agent)),
    },
  };
}
