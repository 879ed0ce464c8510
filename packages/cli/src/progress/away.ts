/** Message while the instance does not answer and a CLI command waits. */
export const AWAY = 'The instance does not answer. Waiting for it… Press Ctrl-C to stop waiting.';
