/** Version in the API description and in the metrics. */
export const VERSION = '0.1.0';
