/** Takes one picture. */
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import type { Grounds } from './grounds.ts';
import { LOOKS, type Look, type Shot } from './shots.ts';
import { NOW } from './story.ts';

/** A page has few colours, so that a palette holds them. */
const COLOURS = 160;

/** Resolves when the page has asked for nothing for half a second; a stream stays open for ever. */
const QUIET = `new Promise((resolve) => {
  const end = () => { observer.disconnect(); resolve(); };
  let timer = setTimeout(end, 500);
  const observer = new PerformanceObserver(() => { clearTimeout(timer); timer = setTimeout(end, 500); });
  observer.observe({ type: 'resource' });
})`;

/** How often it is tried: a browser gives up what it is loading when containers come or go on the machine. */
const TIMES = 4;

/** @returns how many bytes it has. @throws Error when something that the page asked for was refused or did not come */
export async function take(grounds: Grounds, shot: Shot, look: Look, file: string): Promise<number> {
  for (let left = TIMES - 1; ; left -= 1) {
    try {
      return await takeOnce(grounds, shot, look, file);
    } catch (error) {
      if (left === 0) throw error;
    }
  }
}

async function takeOnce(grounds: Grounds, shot: Shot, look: Look, file: string): Promise<number> {
  const { path, before } = shot;
  const { url, cookie } = grounds.of(shot.ground ?? 'company');
  const isSignedIn = shot.signedIn !== false && cookie !== null;
  const context = await grounds.browser.newContext({ ...LOOKS[look], timezoneId: 'UTC', reducedMotion: 'reduce' });
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

/** What was asked for and refused, or did not come. */
function note(page: Page, missed: string[]): void {
  page.on('requestfailed', (request) => void missed.push(`${request.url()}: ${request.failure()?.errorText}`));
  page.on('response', (answer) => {
    if (answer.status() >= 400) missed.push(`${answer.url()}: ${answer.status()}`);
  });
}
