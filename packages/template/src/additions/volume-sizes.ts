import type { Scope } from '../meaning/scope.ts';
import { parseBytes } from '../rules/amounts.ts';
import { excerpt } from '../shape/words.ts';

/** Minimum size of a volume in bytes. A smaller size is probably a typing error. */
const LEAST_BYTES = 2 ** 20;

/** Checks that the expected `size` of each volume is a valid size, such as `10Gi`. */
export function checkVolumeSizes({ draft, error }: Scope): void {
  for (const [app, { volumes = [] }] of draft.apps.entries()) {
    for (const [index, { size }] of volumes.entries()) {
      if (size === undefined || (parseBytes(size) ?? 0) >= LEAST_BYTES) continue;
      const at = ['apps', app, 'volumes', index, 'size'];
      error(
        'volume.size',
        at,
        `${excerpt(size)} is not a size of at least 1Mi.`,
        'Write the size as `500Mi` or `10Gi`.',
      );
    }
  }
}
