const LONGEST = 100;

/**
 * Makes text from a client safe for error messages and logs. Control characters and incomplete Unicode are escaped. The
 * text is limited to 100 characters.
 */
export function quote(text: string): string {
  const shown = JSON.stringify(text.slice(0, LONGEST))
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replaceAll('\\\\', '\\')
    .replace(/[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, escapeUnit)
    .slice(0, LONGEST);
  return text.length > LONGEST || shown.length === LONGEST ? `${shown.slice(0, LONGEST - 1)}…` : shown;
}

function escapeUnit(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
