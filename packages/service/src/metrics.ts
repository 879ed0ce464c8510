/** Part of the registry of the Prometheus library `prom-client`. */
interface MetricsRegistry {
  removeSingleMetric(name: string): void;
}

/**
 * Default gauges of the Prometheus library whose names end in `_total`. `promtool check metrics` reports these names,
 * because only counters may end in `_total`. The library also exports the same gauges by type, without `_total`.
 */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

/** Removes the default metrics of the Prometheus library whose names violate the naming conventions of Prometheus. */
export function removeMisnamedMetrics(registry: MetricsRegistry): void {
  for (const name of MISNAMED) registry.removeSingleMetric(name);
}
