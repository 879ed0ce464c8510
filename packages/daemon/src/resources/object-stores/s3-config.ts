/** How the SDK is set up, and how long it waits. */
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { S3ClientConfig } from '@aws-sdk/client-s3';
import { lookupOf } from './address.ts';
import type { StorePlace } from './client.ts';
import { refusingUpgrades } from './s3-agent.ts';

/** How long a store may take; a test has less patience. */
export interface Patience {
  /** For a connection. */
  connectMs: number;
  /** Without a byte in either direction. */
  idleMs: number;
  /** How often what can be asked again is, with growing pauses. */
  attempts: number;
}

export const PATIENCE: Patience = { connectMs: 10_000, idleMs: 30_000, attempts: 3 };

/** Everything is said, so that nothing is looked up in the surroundings of the process or in files of its user. */
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
    // Newer checksums are Amazon's own; signatures cover the bytes.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // The SDK would open another connection for it, past the lookup that is looked through.
    expectContinueHeader: false,
    requestHandler: {
      connectionTimeout: connectMs,
      socketTimeout: idleMs,
      httpAgent: refusingUpgrades(new HttpAgent(agent)),
      httpsAgent: refusingUpgrades(new HttpsAgent(agent)),
    },
  };
}
