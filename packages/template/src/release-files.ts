import type { Code } from './codes.ts';
import type { Diagnostic } from './diagnostic.ts';
import { readPngHeader } from './png-header.ts';

const KIB = 1024;

/** Map from file of a template release to the maximum size in bytes. */
export const RELEASE_CAPS = {
  'template.yaml': 256 * KIB,
  'README.md': 512 * KIB,
  'icon.png': 512 * KIB,
} as const;

export type ReleasePath = keyof typeof RELEASE_CAPS;

/** Minimum and maximum width and height of an icon, in pixels. */
export const ICON_SIDE = { min: 128, max: 1024 } as const;

/** Content of one file of a template release. `missing` or `too-large` if the content cannot be checked. */
export type ReleaseFile = Uint8Array | 'missing' | 'too-large';

export interface ReleaseFiles extends Record<ReleasePath, ReleaseFile> {
  /**
   * Whether the release contains a file named `template.yml`. The correct name is `template.yaml`. This mistake is
   * common, and the file is not read.
   */
  hasTemplateYml: boolean;
}

/**
 * Checks that the files of a template release exist and are not too large. Also checks the header of the icon. Other
 * code checks the template and the pixels of the icon.
 */
export function checkReleaseFiles(files: ReleaseFiles): Diagnostic[] {
  const found = (Object.keys(RELEASE_CAPS) as ReleasePath[]).flatMap((path) => checkFile(path, files));
  const icon = files['icon.png'];
  const isIconRead = icon instanceof Uint8Array && icon.length <= RELEASE_CAPS['icon.png'];
  return isIconRead ? [...found, ...checkIcon(icon)] : found;
}

/** Checks the format and the size of an icon by reading its PNG header. Returns at most one problem. */
export function checkIcon(icon: Uint8Array): Diagnostic[] {
  const header = readPngHeader(icon);
  if (header === null) {
    return [problem('icon.not-png', 'icon.png is not a PNG.', 'Export the icon as a PNG of 256 × 256 pixels.')];
  }
  if (header.isAnimated) {
    return [problem('icon.not-png', 'icon.png is an animated PNG.', 'Export the icon as a PNG without animation.')];
  }
  const { width, height } = header;
  if (width === height && width >= ICON_SIDE.min && width <= ICON_SIDE.max) return [];
  const message = `icon.png is ${width} × ${height} pixels, but must be square with a width from ${ICON_SIDE.min} to ${ICON_SIDE.max}.`;
  return [problem('icon.size', message, 'Export the icon with 256 × 256 pixels.')];
}

function checkFile(path: ReleasePath, files: ReleaseFiles): Diagnostic[] {
  const file = files[path];
  if (file === 'missing') return [missing(path, files.hasTemplateYml)];
  const cap = RELEASE_CAPS[path];
  if (file !== 'too-large' && file.length <= cap) return [];
  const size = file === 'too-large' ? '' : ` It has ${Math.ceil(file.length / KIB)} KiB.`;
  return [problem('release.too-large', `${path} is larger than ${cap / KIB} KiB.${size}`, 'Reduce its size.')];
}

function missing(path: ReleasePath, hasTemplateYml: boolean): Diagnostic {
  const message = `The root of the repository has no ${path}.`;
  if (path === 'README.md')
    return problem(
      'release.readme-missing',
      message,
      'Add the file. The catalog shows it on the page of the template.',
    );
  if (path === 'icon.png') return problem('release.icon-missing', message, 'Add a square PNG with 256 × 256 pixels.');
  return problem(
    'release.template-missing',
    message,
    hasTemplateYml ? 'Rename template.yml to template.yaml.' : 'Add the file.',
  );
}

function problem(code: Code, message: string, hint: string): Diagnostic {
  return { severity: 'error', code, message, path: [], hint };
}
