import { orNone } from '../../arguments/values.ts';

/** Options for the endpoint of a linked object store. */
export const ENDPOINT = {
  endpoint: { value: 'address', description: 'URL of the object store, such as https://s3.example.com' },
  region: { value: 'region', description: 'region of the object store, such as eu-central-1' },
  publicEndpoint: {
    value: 'address',
    description: 'public URL for presigned URLs, if it differs from the endpoint ("none": no public URL)',
  },
  bucket: {
    value: 'bucket',
    description: 'name of the bucket, if the access keys allow only one bucket ("none": no restriction)',
  },
  pathStyle: {
    value: 'yes|no',
    choices: ['yes', 'no'],
    description: 'whether URLs contain the bucket name in the path (yes) or in the host name (no)',
  },
} as const;

export const NO_CHECK = { description: 'do not check the connection to the object store' } as const;

interface Given {
  endpoint: string | undefined;
  region: string | undefined;
  publicEndpoint: string | undefined;
  bucket: string | undefined;
  pathStyle: 'yes' | 'no' | undefined;
}

/**
 * Converts the endpoint options for an object store to a JSON merge patch. An absent option does not change its
 * setting.
 */
export function endpointPatch({ endpoint, region, publicEndpoint, bucket, pathStyle }: Given) {
  return {
    ...(endpoint !== undefined && { endpoint }),
    ...(region !== undefined && { region }),
    ...(publicEndpoint !== undefined && { public_endpoint: orNone(publicEndpoint, (text) => text) }),
    ...(bucket !== undefined && { bucket: orNone(bucket, (text) => text) }),
    ...(pathStyle !== undefined && { path_style: pathStyle === 'yes' }),
  };
}
