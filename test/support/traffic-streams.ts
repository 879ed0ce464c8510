/** Two connections to the neighbor that must never break: an event stream and a WebSocket. */

import { get } from 'node:http';
import { PATIENCE_MS } from '@davit/testkit/waiting';
import WebSocket from 'ws';
import type { TrafficOptions } from './traffic.ts';
import { Lost, type Recorder } from './traffic-record.ts';

export interface Watched {
  /** Waits for messages in progress, then closes the connection. */
  stop(): Promise<void>;
}

const MESSAGE_EVERY_MS = 100;
const REOPEN_MS = 500;

/** Reads the event stream and checks that no event is missing. A broken stream is counted and opened again. */
export function watchEvents({ port, neighbour }: TrafficOptions, recorder: Recorder): Watched {
  const counts = recorder.classes.sse;
  let stopped = false;
  let close = () => undefined as unknown;
  const open = () => {
    if (stopped) return;
    let last = 0;
    let over = false;
    const broken = (detail: string) => {
      if (over || stopped) return;
      over = true;
      clientRequest.destroy();
      recorder.lose('sse', new Lost('broken', `after ${last} events: ${detail}`));
      setTimeout(open, REOPEN_MS);
    };
    const clientRequest = get({ host: '127.0.0.1', port, path: '/sse', headers: { host: neighbour }, agent: false });
    clientRequest.setTimeout(PATIENCE_MS, () => broken('silence'));
    clientRequest.on('error', (error) => broken(error.message));
    clientRequest.on('response', (response) => {
      if (response.statusCode !== 200) return broken(`status ${response.statusCode}`);
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        const events = text.split('\n\n');
        text = events.pop() ?? '';
        for (const event of events) {
          const id = Number(/^id: (\d+)/.exec(event)?.[1]);
          counts.sent += 1;
          if (id !== last + 1) return broken(`event ${id} came after ${last}`);
          last = id;
          counts.ok += 1;
        }
      });
      response.on('close', () => broken('the stream ended'));
    });
    close = () => clientRequest.destroy();
  };
  open();
  return {
    async stop() {
      stopped = true;
      close();
    },
  };
}

/** Sends numbered messages and checks that they come back in order. */
export function watchWebSocket({ port, neighbour }: TrafficOptions, recorder: Recorder): Watched {
  const counts = recorder.classes.websocket;
  let stopped = false;
  let close = async () => undefined as unknown;
  const open = () => {
    if (stopped) return;
    const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, { headers: { host: neighbour } });
    let sent = 0;
    let received = 0;
    let over = false;
    const closed = Promise.withResolvers<void>();
    const broken = (detail: string) => {
      if (over) return;
      over = true;
      closed.resolve();
      clearInterval(timer);
      socket.terminate();
      recorder.lose('websocket', new Lost('broken', `after ${received} messages: ${detail}`));
      setTimeout(open, REOPEN_MS);
    };
    const timer = setInterval(() => {
      if (socket.readyState !== WebSocket.OPEN) return;
      if ((sent - received) * MESSAGE_EVERY_MS > PATIENCE_MS) return broken('silence');
      sent += 1;
      counts.sent += 1;
      socket.send(String(sent));
    }, MESSAGE_EVERY_MS);
    socket.on('message', (data) => {
      received += 1;
      if (String(data) !== String(received)) broken(`“${String(data)}” came back for ${received}`);
      else counts.ok += 1;
    });
    socket.on('error', (error) => broken(error.message));
    socket.on('close', (code) => {
      if (!stopped || received < sent)
        return broken(`it was closed with ${code}, ${sent - received} were not answered`);
      closed.resolve();
    });
    close = () => {
      clearInterval(timer);
      // The server answers all sent messages before it answers the close.
      socket.close();
      return closed.promise;
    };
  };
  open();
  return {
    async stop() {
      stopped = true;
      await close();
    },
  };
}
