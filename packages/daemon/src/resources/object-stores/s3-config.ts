/** Configuration of the AWS SDK, and its timeouts. */
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { S3ClientConfig } from '@aws-sdk/client-s3';
import { lookupOf } from './address.ts';
import type { StorePlace } from './client.ts';
import { refusingUpgrades } from './s3-agent.ts';

/** Timeouts and attempts for requests to a store. Tests use shorter times. */
export interface Patience {
  /** Maximum time for a connection. */
  connectMs: number;
  /** Maximum time without a byte in either direction. */
  idleMs: number;
  /** Number of attempts of a repeatable request, with growing pauses. */
  attempts: number;
}

export const PATIENCE: Patience = { connectMs: 10_000, idleMs: 30_000, attempts: 3 };

/**
 * Returns the configuration with every option set, so that the SDK reads no environment variables and no files of the
 * user.
 */
export function configOf(place: StorePlace, { connectMs, idleMs, attempts }: Patience): S3ClientConfig {
  const agent = { keepAlive: true, maxSockets: 16, lookup: lookupOf(place) };
  return {
    endpoint: place.endpoint,
    region: place.region,
    forcePathStyle: place.pathStyle,
    credentials: { accessKeyId: place.accessKey, secretAccessKey: place.secretKey },
    maxAttempts: attempts,
    retryMode: 'standard',
    defaultsMode: 'standard',
    useFipsEndpoint: false,
    useDualstackEndpoint: false,
    useArnRegion: false,
    disableMultiregionAccessPoints: true,
    disableS3ExpressSessionAuth: true,
    followRegionRedirects: false,
    // Only Amazon supports the newer checksums, and the signatures already cover the bytes.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // With `Expect: 100-continue`, the SDK would open another connection without our DNS lookup.
    expectContinueHeader: false,
    requestHandler: {
      connectionTimeout: connectMs,
      socketTimeout: idleMs,
      httpAgent: refusingUpgrades(new HttpAgent(agent)),
      httpsAgent: refusingUpgrades(new HttpsAgent(agent)),
    },
  };
}
