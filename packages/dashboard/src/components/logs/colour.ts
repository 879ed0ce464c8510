/**
 * A color: the number of one of the sixteen basic colors, or red, green and blue. The style sheet gives each basic
 * color a readable value.
 */
export type Colour = number | readonly [red: number, green: number, blue: number];

const STEPS = [0, 95, 135, 175, 215, 255];

/** Returns the color with a number of the 256-color palette, or `null` if the number is invalid. */
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
 * Luminance of the background that text must contrast with: the darkest light background and the lightest dark
 * background of a line.
 */
const GROUNDS = { light: 0.87, dark: 0.018 };
/** Minimum contrast ratio as defined by WCAG. */
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

/** Returns the color, moved towards black or white only as far as the minimum contrast needs. */
function readable(colour: Rgb, scheme: 'light' | 'dark'): Rgb {
  const end = scheme === 'light' ? 0 : 255;
  let shown = colour;
  for (let part = 0.05; part <= 1 && contrast(luminance(shown), GROUNDS[scheme]) < CONTRAST; part += 0.05) {
    shown = colour.map((byte) => Math.round(byte + (end - byte) * part)) as unknown as Rgb;
  }
  return shown;
}

const inCss = (colour: Rgb) => `rgb(${colour.join(' ')})`;

/** Returns the CSS for a program's text color, readable in the light and the dark scheme. */
export function textColour(colour: Rgb): string {
  return `light-dark(${inCss(readable(colour, 'light'))}, ${inCss(readable(colour, 'dark'))})`;
}

/** Returns a program's background color with black or white text on top. */
export function groundColours(colour: Rgb): { backgroundColor: string; color: string } {
  return { backgroundColor: inCss(colour), color: luminance(colour) > 0.18 ? '#000' : '#fff' };
}
