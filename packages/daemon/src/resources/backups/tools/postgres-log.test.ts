import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lastWords } from './postgres-log.ts';

test('lastWords returns the fatal message of a PostgreSQL log', () => {
  const log = `2026-01-02 03:04:05.678 UTC [7] LOG:  starting point-in-time recovery to 2026-01-02 03:00:00+00
2026-01-02 03:04:06.000 UTC [7] FATAL:  recovery ended before configured recovery target was reached
2026-01-02 03:04:06.010 UTC [1] LOG:  startup process (PID 7) exited with exit code 1
2026-01-02 03:04:06.020 UTC [1] LOG:  database system is shut down
`;
  assert.match(lastWords(log), /^2026-01-02 03:04:06\.000 UTC \[7\] FATAL: {2}recovery ended before [^\n]*$/);
  assert.equal(lastWords('sh: postgres: not found\n'), 'sh: postgres: not found');
  assert.equal(lastWords(''), '');
});
