import { orNone } from '../../arguments/values.ts';

/** Options for the endpoint of a linked store. */
export const ENDPOINT = {
  endpoint: { value: 'address', description: 'such as https://s3.example.com' },
  region: { value: 'region', description: 'such as eu-central-1' },
  publicEndpoint: { value: 'address', description: 'where the world asks it, if that is elsewhere; «none»: it is not' },
  bucket: { value: 'bucket', description: 'the one that its keys are for; «none»: for all that they may see' },
  pathStyle: {
    value: 'yes|no',
    choices: ['yes', 'no'],
    description: 'buckets stand in the path, not in the host name',
  },
} as const;

export const NO_CHECK = { description: 'do not ask it first: it cannot be reached right now' } as const;

interface Given {
  endpoint: string | undefined;
  region: string | undefined;
  publicEndpoint: string | undefined;
  bucket: string | undefined;
  pathStyle: 'yes' | 'no' | undefined;
}

/** Returns a merge patch of the given options. */
export function endpointPatch({ endpoint, region, publicEndpoint, bucket, pathStyle }: Given) {
  return {
    ...(endpoint !== undefined && { endpoint }),
    ...(region !== undefined && { region }),
    ...(publicEndpoint !== undefined && { public_endpoint: orNone(publicEndpoint, (text) => text) }),
    ...(bucket !== undefined && { bucket: orNone(bucket, (text) => text) }),
    ...(pathStyle !== undefined && { path_style: pathStyle === 'yes' }),
  };
}
