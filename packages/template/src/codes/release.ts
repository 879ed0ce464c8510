import { type CodeInfo, codesOf } from './code.ts';

const { error } = codesOf('release');

/** Codes for the files of a release, which have no position in the template. */
export const RELEASE_CODES = {
  'release.template-missing': error(
    'No `template.yaml` at the root of the repository.',
    'Add it; `template.yml` is not read.',
  ),
  'release.readme-missing': error(
    'No `README.md` at the root of the repository.',
    'Add one: it is the template’s page.',
  ),
  'release.icon-missing': error('No `icon.png` at the root of the repository.', 'Add one: a square PNG.'),
  'release.too-large': error(
    '`template.yaml` over 256 KiB, or `README.md` or `icon.png` over 512 KiB.',
    'Make the file that is named smaller.',
  ),
  'icon.not-png': error('`icon.png` cannot be decoded as a PNG.', 'Export it as a PNG that is not animated.'),
  'icon.size': error('`icon.png` is not square, or its side is not 128 to 1024 pixels.', 'Export it at 256 × 256.'),
} satisfies Record<string, CodeInfo>;
