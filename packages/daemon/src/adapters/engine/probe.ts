/**
 * A health check that asks whether a container responds. The kind `command` runs the HEALTHCHECK command of the image
 * inside the container.
 */
export type Probe =
  | { kind: 'http'; port: number; path: string; timeoutMs: number }
  | { kind: 'tcp'; port: number; timeoutMs: number }
  | { kind: 'command'; timeoutMs: number };

export type ProbeResult = { ok: true } | ProbeFailure;

export interface ProbeFailure {
  ok: false;
  /** Reason for users. */
  reason: string;
  /** Whether the container refuses connections to the port, so that no program listens on it. Default: `false`. */
  isPortClosed?: true;
}
