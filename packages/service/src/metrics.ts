/** Registry of the Prometheus library `prom-client`. */
interface MetricsRegistry {
  removeSingleMetric(name: string): void;
}

/**
 * Default gauges of the Prometheus library whose names end in `_total`. By convention, only names of counters do, and
 * `promtool check metrics` reports other ones. The library also has these gauges without `_total` and by type.
 */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

/** Removes the default metrics of the Prometheus library whose names break the conventions of Prometheus. */
export function removeMisnamedMetrics(registry: MetricsRegistry): void {
  for (const name of MISNAMED) registry.removeSingleMetric(name);
}
