/**
 * A health check that asks whether a container responds. The kind `command` runs the HEALTHCHECK command of the image
 * inside the container.
 */
export type Probe =
  | { kind: 'http'; port: number; path: string; timeoutMs: number }
  | { kind: 'tcp'; port: number; timeoutMs: number }
  | { kind: 'command'; timeoutMs: number };

export type ProbeResult = { ok: true } | { ok: false; reason: string };
