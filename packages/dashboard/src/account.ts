import { createAccountClient } from '@davit/api';
import { reachingFetch } from './reach.ts';

/**
 * HTTP client for requests that the OpenAPI description does not contain: sign-in, own API keys, sessions and
 * password.
 */
export const account = createAccountClient({ url: '', fetch: reachingFetch });
