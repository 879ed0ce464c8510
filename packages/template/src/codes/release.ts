import { type CodeInfo, codesOf } from './code.ts';

const { error } = codesOf('release');

/** Diagnostic codes for the files of a template release. These problems have no line number in the template. */
export const RELEASE_CODES = {
  'release.template-missing': error(
    'The root of the repository has no `template.yaml`.',
    'Add the file. A `template.yml` is ignored.',
  ),
  'release.readme-missing': error(
    'The root of the repository has no `README.md`.',
    'Add the file. The catalog shows it on the page of the template.',
  ),
  'release.icon-missing': error('The root of the repository has no `icon.png`.', 'Add a square PNG file.'),
  'release.too-large': error(
    '`template.yaml` is larger than 256 KiB, or `README.md` or `icon.png` is larger than 512 KiB.',
    'Reduce the size of the file that the error message shows.',
  ),
  'icon.not-png': error('`icon.png` cannot be decoded as a PNG.', 'Export the icon as a PNG without animation.'),
  'icon.size': error(
    '`icon.png` is not square, or its width is not from 128 to 1024 pixels.',
    'Export the icon with 256 × 256 pixels.',
  ),
} satisfies Record<string, CodeInfo>;
