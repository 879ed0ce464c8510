/** Whether a manifest can be installed by this instance. */
import { CUBESHIP_LEVEL, type Manifest, satisfies } from '@davit/template/parts';

/** Why it cannot, in a sentence; null: it can. */
export function whyUnfit(manifest: Manifest, version: string): string | null {
  const { min_cubeship: older, min_version: own } = manifest;
  if (older !== null && !satisfies(older, CUBESHIP_LEVEL)) {
    return `The template asks for version ${older} of its format, and this instance reads up to ${CUBESHIP_LEVEL}.`;
  }
  if (own !== undefined && !satisfies(own, version)) {
    return `The template asks for Davit ${own}, and this instance is ${version}: update it first.`;
  }
  const built = manifest.apps.filter(({ source }) => source.type !== 'image').map(({ key }) => key);
  if (built.length > 0) {
    const what = built.length === 1 ? `${built[0]} is` : `${built.join(', ')} are`;
    return `${what} built from source, and this instance runs images: choose a template that names one.`;
  }
  return null;
}
