/**
 * Health check of a container. A `command` health check runs the HEALTHCHECK command of the image inside the container.
 */
export type Probe =
  | { kind: 'http'; port: number; path: string; timeoutMs: number }
  | { kind: 'tcp'; port: number; timeoutMs: number }
  | { kind: 'command'; timeoutMs: number };

export type ProbeResult = { ok: true } | ProbeFailure;

export interface ProbeFailure {
  ok: false;
  /** Text for users that says why the health check failed. */
  reason: string;
  /** `true` if the container refused the TCP connection, so no program listens on the port. Default: `false`. */
  isPortClosed?: true;
}
