import type { Config } from '@react-router/dev/config';

export default {
  // The route list is public and small: sent whole, so there is no /__manifest to answer.
  routeDiscovery: { mode: 'initial' },
} satisfies Config;
