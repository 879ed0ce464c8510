/** Takes one screenshot. */
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import type { PicturedInstances } from './grounds.ts';
import { LOOKS, type Look, type Shot } from './shots.ts';
import { NOW } from './story.ts';

/** Number of colors in the palette. A page has few colors. */
const COLOURS = 160;

/**
 * Script that resolves when the page has sent no request for half a second. Waiting for the end of all requests is
 * impossible, because a stream stays open.
 */
const QUIET = `new Promise((resolve) => {
  const end = () => { observer.disconnect(); resolve(); };
  let timer = setTimeout(end, 500);
  const observer = new PerformanceObserver(() => { clearTimeout(timer); timer = setTimeout(end, 500); });
  observer.observe({ type: 'resource' });
})`;

/** Number of attempts. A browser aborts its requests when containers appear or disappear on the machine. */
const TIMES = 4;

/**
 * Takes a screenshot.
 * @returns its size in bytes
 * @throws Error if a request of the page was refused or failed
 */
export async function take(instances: PicturedInstances, shot: Shot, look: Look, file: string): Promise<number> {
  for (let left = TIMES - 1; ; left -= 1) {
    try {
      return await takeOnce(instances, shot, look, file);
    } catch (error) {
      if (left === 0) throw error;
    }
  }
}

async function takeOnce(instances: PicturedInstances, shot: Shot, look: Look, file: string): Promise<number> {
  const { path, before } = shot;
  const { url, cookie } = instances.of(shot.ground ?? 'company');
  const isSignedIn = shot.signedIn !== false && cookie !== null;
  const context = await instances.browser.newContext({ ...LOOKS[look], timezoneId: 'UTC', reducedMotion: 'reduce' });
  const missed: string[] = [];
  try {
    await context.clock.setFixedTime(NOW);
    if (isSignedIn) await context.addCookies([{ ...cookie, url, httpOnly: true }]);
    const page = await context.newPage();
    note(page, missed);
    const { answers } = shot;
    if (answers) await page.route(`**${answers.path}`, (route) => route.fulfill({ json: answers.answer }));
    await page.goto(`${url}${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    if (isSignedIn && !path.startsWith('/oauth/')) await page.locator('[data-live=live]').waitFor();
    await page.evaluate(QUIET);
    await before?.(page);
    await page.evaluate(QUIET);
    const taken = await page.screenshot();
    if (isSignedIn && missed.length > 0 && !shot.isRefused) throw new Error('something is missing on the page');
    const { size } = await sharp(taken).png({ palette: true, colours: COLOURS, effort: 10 }).toFile(file);
    return size;
  } catch (error) {
    throw new Error(`${shot.name}, ${look}: ${missed.join(', ') || 'everything came'}`, { cause: error });
  } finally {
    await context.close();
  }
}

/** Records requests that were refused or failed. */
function note(page: Page, missed: string[]): void {
  page.on('requestfailed', (request) => void missed.push(`${request.url()}: ${request.failure()?.errorText}`));
  page.on('response', (answer) => {
    if (answer.status() >= 400) missed.push(`${answer.url()}: ${answer.status()}`);
  });
}
