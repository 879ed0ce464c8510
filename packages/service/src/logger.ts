import { type DestinationStream, pino } from 'pino';

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/**
 * Writes one log line with fields and a constant message. Put a thrown error into the field `error`. The log line then
 * also contains the causes of the error.
 */
export interface LogMethod {
  (fields: object, message: string): void;
  (message: string): void;
}

/**
 * Writes log lines as JSON. Put variable values into fields, not into the message, so that users can search for a
 * message.
 */
export interface Logger {
  debug: LogMethod;
  info: LogMethod;
  warn: LogMethod;
  error: LogMethod;
  /** Returns a logger that adds the given fields to each log line. */
  child(fields: Record<string, unknown>): Logger;
  /** Returns whether the logger writes lines of this level. Call this function before you compute expensive fields. */
  isLevelEnabled(level: LogLevel): boolean;
}

export interface LoggerOptions {
  level: LogLevel;
  /** Stream that receives the log lines. By default, this is the standard output. */
  destination?: DestinationStream;
}

/** Names of secret fields. In log lines, `[redacted]` replaces their values, at the top level and one level below. */
const SECRET_FIELDS = ['password', 'token', 'key', 'secret', 'authorization', 'cookie', 'password_hash', 'vars'];

/** Creates a logger. Each line is a JSON object with `time` (RFC 3339), `level` (name of the level) and `msg`. */
export function createLogger({ level, destination }: LoggerOptions): Logger {
  const options = {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { error: pino.stdSerializers.errWithCause },
    redact: { paths: SECRET_FIELDS.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
  };
  return destination ? pino(options, destination) : pino(options);
}
