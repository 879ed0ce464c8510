import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** Static file of the web pages. Its URL contains a hash of the content, so browsers can cache the file forever. */
export interface Asset {
  /** URL path of the file, such as `/assets/style-1a2b3c4d5e.css`. */
  path: string;
  type: string;
  bytes: Uint8Array;
}

export interface Assets {
  style: Asset;
  script: Asset;
  icon: Asset;
}

/** Reads the static files of the web pages into memory. */
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
