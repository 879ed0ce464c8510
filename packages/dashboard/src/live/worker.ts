/**
 * Shared worker that manages the event stream for all tabs of the browser. The browser ends the worker when the last
 * tab is closed.
 */
import { createHub } from './connect.ts';
import type { HubPort } from './messages.ts';

const hub = createHub();

addEventListener('connect', (event) => {
  const [port] = (event as MessageEvent).ports;
  if (port !== undefined) hub.join(port as unknown as HubPort);
});
