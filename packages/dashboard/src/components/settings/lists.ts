/** Parses and formats lists with one entry per line. */

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

/** Formats a service such as `10.0.0.5:5432` or `[2001:db8::1]:53/udp`. TCP is the default and is omitted. */
export function writeService({ address, port, protocol }: Service): string {
  const host = address.includes(':') ? `[${address}]` : address;
  return `${host}:${port}${protocol === 'tcp' ? '' : `/${protocol}`}`;
}

/**
 * Parses a line into an entry. A line in another format is returned unchanged, and the instance refuses it with a
 * reason.
 */
export function readService(line: string): Service | string {
  const { six, four, port, protocol = 'tcp' } = SERVICE.exec(line)?.groups ?? {};
  const address = six ?? four;
  if (address === undefined || port === undefined) return line;
  return { address, port: Number(port), protocol: protocol.toLowerCase() };
}

/** Returns the error of an entry, such as `.1.port`, with its line number. */
export function wordsOfLine(part: string, message: string): string {
  const [, index = '', ...names] = part.split('.');
  return `Line ${Number(index) + 1}: ${[...names, message].join(' ')}`;
}
