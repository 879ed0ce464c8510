import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** A file that pages are drawn with. Its content is in its address, so that browsers keep it for ever. */
export interface Asset {
  /** From the root of the catalog: `/assets/style-1a2b3c4d5e.css`. */
  path: string;
  type: string;
  bytes: Uint8Array;
}

export interface Assets {
  style: Asset;
  script: Asset;
  icon: Asset;
}

/** Reads what lies in the folder beside; done once, at the start. */
export function readAssets(): Assets {
  return {
    style: readAsset('style.css', 'text/css; charset=utf-8'),
    script: readAsset('script.js', 'text/javascript; charset=utf-8'),
    icon: readAsset('icon.svg', 'image/svg+xml'),
  };
}

function readAsset(file: string, type: string): Asset {
  const bytes = readFileSync(new URL(`./assets/${file}`, import.meta.url));
  const [name = '', ending = ''] = file.split('.');
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 10);
  return { path: `/assets/${name}-${hash}.${ending}`, type, bytes };
}
