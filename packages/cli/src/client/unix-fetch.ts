import { request } from 'node:http';
import type { Fetch } from '@davit/api';
import { requestFetch } from './request-fetch.ts';

/** Returns a `fetch` function that sends HTTP requests through a Unix socket. */
export function unixFetch(socketPath: string): Fetch {
  return requestFetch(request, { socketPath });
}
