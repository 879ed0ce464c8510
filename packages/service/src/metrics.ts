/** Registry of the Prometheus library `prom-client`. */
interface MetricsRegistry {
  removeSingleMetric(name: string): void;
}

/**
 * Default gauges of the Prometheus library that end in `_total`. `promtool check metrics` reports such names, because
 * only counters may have them. The library also exports these gauges by type, without `_total`.
 */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

/** Removes the default metrics of the Prometheus library whose names break the conventions of Prometheus. */
export function removeMisnamedMetrics(registry: MetricsRegistry): void {
  for (const name of MISNAMED) registry.removeSingleMetric(name);
}
