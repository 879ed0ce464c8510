/** Health check for a container. The kind `command` runs the HEALTHCHECK command of the image inside the container. */
export type Probe =
  | { kind: 'http'; port: number; path: string; timeoutMs: number }
  | { kind: 'tcp'; port: number; timeoutMs: number }
  | { kind: 'command'; timeoutMs: number };

export type ProbeResult = { ok: true } | ProbeFailure;

export interface ProbeFailure {
  ok: false;
  /** Reason for users. */
  reason: string;
  /**
   * `true` if the container refused the connection, which means that no program listens on the port. Default: `false`.
   */
  isPortClosed?: true;
}
