/** The worker that the tabs of a browser share. It ends with the last of them. */
import { createHub } from './connect.ts';
import type { HubPort } from './messages.ts';

const hub = createHub();

addEventListener('connect', (event) => {
  const [port] = (event as MessageEvent).ports;
  if (port !== undefined) hub.join(port as unknown as HubPort);
});
