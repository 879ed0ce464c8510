/** Message that the CLI prints while it waits for an instance that does not respond. */
export const AWAY = 'The instance does not answer. Waiting for it… Press Ctrl-C to stop waiting.';
