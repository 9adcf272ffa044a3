import type { Config } from '@react-router/dev/config';

export default {
  // scripts/build.ts builds beside the last build and then moves the files over.
  buildDirectory: process.env.BUILD_FOLDER ?? 'build',
  // The route list is public and small: sent whole, so there is no /__manifest to answer.
  routeDiscovery: { mode: 'initial' },
  // Our own origin check stands before the router (http/origin-check.server.ts). The router's compares the scheme too,
  // which is not the visitor's behind a proxy that ends HTTPS.
  allowedActionOrigins: ['**'],
} satisfies Config;
