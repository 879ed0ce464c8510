import type { TemplateProblemCode } from '@davit/api';
import { CUBESHIP_LEVEL, type Manifest, satisfies } from '@davit/template/parts';

/** Reason why this instance cannot install a template. */
export interface Unfit {
  code: TemplateProblemCode;
  message: string;
}

/**
 * Returns the reason why this instance cannot install a manifest. Returns `null` if it can.
 * @param version Davit version of this instance
 */
export function whyUnfit(manifest: Manifest, version: string): Unfit | null {
  const { min_cubeship: older, min_version: own } = manifest;
  if (older !== null && !satisfies(older, CUBESHIP_LEVEL)) {
    const message = `The template needs version ${older} of the template format, but this instance supports versions up to ${CUBESHIP_LEVEL}. Choose another template.`;
    return { code: 'format_too_new', message };
  }
  if (own !== undefined && !satisfies(own, version)) {
    const message = `The template needs Davit ${own}, but this instance has version ${version}. Update Davit first.`;
    return { code: 'davit_too_old', message };
  }
  const built = builtApps(manifest);
  if (built.length > 0) {
    const what = built.length === 1 ? `${built[0]} is` : `${built.join(', ')} are`;
    const message = `${what} built from source, but this instance runs only images. Choose a template that uses an image.`;
    return { code: 'built_from_source', message };
  }
  return null;
}

/** Returns the keys of the apps without an image. An instance cannot run these apps, because it builds no images. */
export function builtApps({ apps }: Pick<Manifest, 'apps'>): string[] {
  return apps.filter(({ source }) => source.type !== 'image').map(({ key }) => key);
}

/** Returns the fields of the HTTP API that show whether this instance can install the template. */
export function fitting(unfit: Unfit | null) {
  return unfit === null ? { fits: true } : { fits: false, problem: unfit.message, problem_code: unfit.code };
}
