import { once } from 'node:events';
import { until } from '@davit/testkit/waiting';
import { type RawData, WebSocket } from 'ws';

/** Client of a shell. Collects the output, the JSON messages, and the code with which the connection was closed. */
export class ShellClient {
  readonly socket: WebSocket;
  text = '';
  readonly controls: unknown[] = [];
  readonly closed: Promise<{ code: number; reason: string }>;

  constructor(url: string, headers: Record<string, string>) {
    this.socket = new WebSocket(url, { headers });
    this.socket.on('message', (data: RawData, isBinary: boolean) => {
      if (isBinary) this.text += data;
      else this.controls.push(JSON.parse(String(data)));
    });
    this.socket.on('error', () => undefined);
    this.closed = once(this.socket, 'close').then(([code, reason]) => ({ code, reason: String(reason) }));
  }

  type(text: string): void {
    this.socket.send(Buffer.from(text));
  }

  /** Ends the input of a program without a terminal. */
  end(): void {
    this.socket.send(JSON.stringify({ end: true }));
  }

  shows(what: RegExp): Promise<true> {
    return until(`${what} in ${JSON.stringify(this.text)}`, async () => (what.test(this.text) ? true : null));
  }
}
