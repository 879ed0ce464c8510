export const telemetry = '';
