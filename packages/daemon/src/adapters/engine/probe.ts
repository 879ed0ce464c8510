/** One look at whether an instance answers. `command` runs the image's HEALTHCHECK test inside the instance. */
export type Probe =
  | { kind: 'http'; port: number; path: string; timeoutMs: number }
  | { kind: 'tcp'; port: number; timeoutMs: number }
  | { kind: 'command'; timeoutMs: number };

export type ProbeResult = { ok: true } | { ok: false; reason: string };
