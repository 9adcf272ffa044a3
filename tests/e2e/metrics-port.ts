/** Where the program under test serves /metrics. */
export const metricsPort = Number(process.env.E2E_PORT ?? 4180) + 2000;
