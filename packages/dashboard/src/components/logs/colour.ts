/**
 * Terminal color. A number is the index of one of the 16 basic ANSI colors, which the style sheet defines for both
 * themes. A tuple contains red, green and blue from 0 to 255.
 */
export type Colour = number | readonly [red: number, green: number, blue: number];

const STEPS = [0, 95, 135, 175, 215, 255];

/** Returns a color of the 256-color terminal palette, or `null` for an invalid index. */
export function cube(index: number): Colour | null {
  if (!Number.isInteger(index) || index < 0 || index > 255) return null;
  if (index < 16) return index;
  if (index >= 232) {
    const grey = 8 + (index - 232) * 10;
    return [grey, grey, grey];
  }
  const [red = 0, green = 0, blue = 0] = [36, 6, 1].map((size) => STEPS[Math.floor((index - 16) / size) % 6] ?? 0);
  return [red, green, blue];
}

/**
 * Luminance of the log page's background in each theme. The page has several backgrounds. The value is for the
 * background on which text is hardest to read.
 */
const BACKGROUND_LUMINANCE = { light: 0.87, dark: 0.018 };
/** Minimum contrast ratio between text and background, calculated as in WCAG. */
const CONTRAST = 4.6;

type Rgb = readonly [number, number, number];

function luminance(colour: Rgb): number {
  const [red = 0, green = 0, blue = 0] = colour.map((byte) => {
    const part = byte / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(a: number, b: number): number {
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/**
 * Changes a text color until its contrast with the background is sufficient. The color becomes darker in the light
 * theme, and lighter in the dark theme.
 */
function readable(colour: Rgb, scheme: 'light' | 'dark'): Rgb {
  const end = scheme === 'light' ? 0 : 255;
  let shown = colour;
  for (
    let part = 0.05;
    part <= 1 && contrast(luminance(shown), BACKGROUND_LUMINANCE[scheme]) < CONTRAST;
    part += 0.05
  ) {
    shown = colour.map((byte) => Math.round(byte + (end - byte) * part)) as unknown as Rgb;
  }
  return shown;
}

const inCss = (colour: Rgb) => `rgb(${colour.join(' ')})`;

/**
 * Returns the CSS color for text of terminal output. The color is readable in the light theme and in the dark theme.
 */
export function textColour(colour: Rgb): string {
  return `light-dark(${inCss(readable(colour, 'light'))}, ${inCss(readable(colour, 'dark'))})`;
}

/**
 * Returns CSS for a background color of terminal output. The text color is black or white, depending on which has more
 * contrast.
 */
export function backgroundColours(colour: Rgb): { backgroundColor: string; color: string } {
  return { backgroundColor: inCss(colour), color: luminance(colour) > 0.18 ? '#000' : '#fff' };
}
