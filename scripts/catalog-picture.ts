/**
 * Takes the screenshot of the catalog in the README: its first page with the example templates, in Debian's Chromium.
 *
 *     node scripts/catalog-picture.ts
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bootCatalog } from '@davit/testkit/catalog';
import { chromium } from 'playwright-core';
import sharp from 'sharp';
import { makeExampleRepositories } from './example-catalog.ts';

const FILE = join(import.meta.dirname, '../docs/images/catalog.png');
const SIZE = { width: 1_200, height: 860 };
/** Number of colors in the palette. A page has few colors. */
const COLOURS = 192;

const source = await mkdtemp(join(tmpdir(), 'davit-examples-'));
try {
  await makeExampleRepositories(source);
  await using catalog = await bootCatalog({ source, settings: { verifiedOwners: 'davit-examples' } });
  await catalog.passOnce();
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
  const page = await browser.newPage({ viewport: SIZE, colorScheme: 'light', deviceScaleFactor: 1.5 });
  await page.goto(catalog.url, { waitUntil: 'networkidle' });
  const picture = await page.screenshot();
  await browser.close();
  const { size } = await sharp(picture).png({ palette: true, colours: COLOURS, effort: 10 }).toFile(FILE);
  console.log(`${FILE}: ${Math.round(size / 1024)} KiB`);
} finally {
  await rm(source, { recursive: true, force: true });
}
