/**
 * Converts lists in the instance settings to text for a form field, and back to lists. Each line of the text is one
 * list item.
 */

interface Service {
  address: string;
  port: number;
  protocol: string;
}

const SERVICE = /^(?:\[(?<six>[^\]]*)\]|(?<four>[^:[\]]+)):(?<port>\d+)(?:\/(?<protocol>\w+))?$/;

export function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/**
 * Formats an address with a port such as `10.0.0.5:5432` or `[2001:db8::1]:53/udp`. TCP is the default protocol and is
 * omitted.
 */
export function writeService({ address, port, protocol }: Service): string {
  const host = address.includes(':') ? `[${address}]` : address;
  return `${host}:${port}${protocol === 'tcp' ? '' : `/${protocol}`}`;
}

/**
 * Parses a line such as `10.0.0.5:5432/udp` into address, port and protocol. An invalid line is returned unchanged, so
 * that the server reports the error.
 */
export function readService(line: string): Service | string {
  const { six, four, port, protocol = 'tcp' } = SERVICE.exec(line)?.groups ?? {};
  const address = six ?? four;
  if (address === undefined || port === undefined) return line;
  return { address, port: Number(port), protocol: protocol.toLowerCase() };
}

/**
 * Adds the line number to the server's error message about a list item. The index in the error path starts at 0, so
 * `.1.port` is an error in line 2.
 */
export function wordsOfLine(part: string, message: string): string {
  const [, index = '', ...names] = part.split('.');
  return `Line ${Number(index) + 1}: ${[...names, message].join(' ')}`;
}
