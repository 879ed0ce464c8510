import { type DestinationStream, pino } from 'pino';

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** One line: fields first, then a constant message. What was thrown goes under `error`, and keeps its causes. */
export interface LogMethod {
  (fields: object, message: string): void;
  (message: string): void;
}

/** A logger of JSON lines. What can vary goes into fields, so that messages can be searched for. */
export interface Logger {
  debug: LogMethod;
  info: LogMethod;
  warn: LogMethod;
  error: LogMethod;
  /** A logger that adds fields to every line. */
  child(fields: Record<string, unknown>): Logger;
  /** Whether a line of that level would be written, for fields that cost something to make. */
  isLevelEnabled(level: LogLevel): boolean;
}

export interface LoggerOptions {
  level: LogLevel;
  /** Where lines go; absent: standard output. */
  destination?: DestinationStream;
}

/** Whatever a caller puts under these names, at the top or one level down, never reaches a line. */
const SECRET_FIELDS = ['password', 'token', 'key', 'secret', 'authorization', 'cookie', 'password_hash', 'vars'];

/** Makes a logger. Each line is one JSON object with `time` (RFC 3339), `level` (its name) and `msg`. */
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
