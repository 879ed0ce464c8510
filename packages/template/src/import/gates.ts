import type { Draft } from '../draft.ts';
import { isAddedImage } from './image-names.ts';

/**
 * Returns the version ranges `minCubeship` and `minVersion` of a template. The ranges allow only versions that support
 * all features of the template.
 */
export function gatesOf({
  inputs = [],
  databases = [],
  apps,
  jobs = [],
}: Draft): Pick<Draft, 'minCubeship' | 'minVersion'> {
  const minCubeship = databases.some(({ extensions }) => extensions)
    ? '>=0.9.0'
    : apps.some(({ tcp }) => tcp)
      ? '>=0.7.2'
      : apps.some(({ volumes }) => volumes)
        ? '>=0.7.0'
        : null;
  const isAdded =
    jobs.length > 0 ||
    inputs.some(({ format }) => format !== undefined) ||
    apps.some(
      ({ worker, command, args, files, depends_on, image, env = {} }) =>
        [worker, command, args, files, depends_on].some((value) => value !== undefined) ||
        Object.keys(env).some((name) => name.includes('.')) ||
        isAddedImage(image ?? ''),
    );
  return { ...(minCubeship !== null && { minCubeship }), ...(isAdded && { minVersion: '>=0.1.0' }) };
}
