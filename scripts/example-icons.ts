/** Draws the icons of the example templates. Run it after a change in this file, and commit the results. */
import { globSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import sharp from 'sharp';

const SIDE = 256;
const templates = join(import.meta.dirname, '../examples/templates');

interface Drawing {
  background: string;
  /** SVG in a square of 256 × 256. The default color is white. */
  shapes: string;
}

const DRAWINGS: Record<string, Drawing> = {
  'davit-examples/hello-template': {
    background: '#0b7285',
    shapes: `<path d="M56 60h144a14 14 0 0 1 14 14v84a14 14 0 0 1-14 14h-76l-44 36v-36H56a14 14 0 0 1-14-14V74a14 14 0 0 1 14-14z"/>
      <circle cx="92" cy="116" r="11" fill="#0b7285"/><circle cx="128" cy="116" r="11" fill="#0b7285"/>
      <circle cx="164" cy="116" r="11" fill="#0b7285"/>`,
  },
  'davit-examples/paperless-template': {
    background: '#2f6f4f',
    shapes: `<path d="M78 44h70l36 36v132H78z"/><path d="M148 44v36h36z" fill="#bfe0cd"/>
      <path d="M100 112h62M100 140h62M100 168h40" stroke="#2f6f4f" stroke-width="10"/>`,
  },
  'davit-examples/docmost-template': {
    background: '#3d4fb8',
    shapes: `<rect x="52" y="60" width="68" height="136" rx="8"/><rect x="136" y="60" width="68" height="60" rx="8"/>
      <rect x="136" y="136" width="68" height="60" rx="8" fill="#b9c2f5"/>`,
  },
  'davit-examples/listmonk-template': {
    background: '#b4472f',
    shapes: `<rect x="46" y="76" width="164" height="108" rx="12"/>
      <path d="M54 88l74 58 74-58" fill="none" stroke="#b4472f" stroke-width="12"/>`,
  },
  'davit-examples/umami-template': {
    background: '#1f2937',
    shapes: `<rect x="56" y="140" width="34" height="60" rx="6"/><rect x="111" y="100" width="34" height="100" rx="6"/>
      <rect x="166" y="56" width="34" height="144" rx="6" fill="#7dd3fc"/>`,
  },
  'davit-examples/cubeship-uptime-kuma-template': {
    background: '#0f766e',
    shapes: `<path d="M36 136h44l20-56 36 104 24-72 12 24h48" fill="none" stroke="#fff" stroke-width="14"/>`,
  },
  'davit-examples/cubeship-ghost-template': {
    background: '#4b5563',
    shapes: `<path d="M60 196l96-116 40 40-116 96-28 8z"/><path d="M164 72l20-20 40 40-20 20z" fill="#d1d5db"/>`,
  },
  'davit-community/gitea-template': {
    background: '#4d7c0f',
    shapes: `<path d="M88 72v112M88 128c60 0 80-10 80-48" fill="none" stroke="#fff" stroke-width="14"/>
      <circle cx="88" cy="64" r="22"/><circle cx="88" cy="192" r="22"/><circle cx="168" cy="72" r="22" fill="#d9f99d"/>`,
  },
  'davit-community/vaultwarden-template': {
    background: '#1d4ed8',
    shapes: `<path d="M92 116V88a36 36 0 0 1 72 0v28" fill="none" stroke="#fff" stroke-width="16"/>
      <rect x="68" y="112" width="120" height="92" rx="14"/><circle cx="128" cy="152" r="13" fill="#1d4ed8"/>
      <path d="M128 152v28" stroke="#1d4ed8" stroke-width="12"/>`,
  },
  'davit-community/mailpit-template': {
    background: '#7e22ce',
    shapes: `<path d="M44 132h48l14 26h44l14-26h48v64a12 12 0 0 1-12 12H56a12 12 0 0 1-12-12z"/>
      <path d="M128 44v66M102 86l26 28 26-28" fill="none" stroke="#fff" stroke-width="14"/>`,
  },
};

/** A release that the catalog refuses because it has no icon. */
const WITHOUT = 'davit-community/mailpit-template/v1.1.0';

for (const [repository, drawing] of Object.entries(DRAWINGS)) {
  const png = await draw(drawing);
  for (const release of globSync(`${repository}/*/template.yaml`, { cwd: templates }).map(dirname)) {
    if (release !== WITHOUT) await writeFile(join(templates, release, 'icon.png'), png);
  }
}

function draw({ background, shapes }: Drawing): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${SIDE}" height="${SIDE}" fill="#fff"
    stroke-linecap="round" stroke-linejoin="round"><rect width="${SIDE}" height="${SIDE}" rx="48" fill="${background}"/>
    ${shapes}</svg>`;
  return sharp(Buffer.from(svg)).png({ palette: true, colours: 32, compressionLevel: 9 }).toBuffer();
}
