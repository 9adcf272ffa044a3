import type { Config } from '@react-router/dev/config';

export default {
  // scripts/build.ts builds beside the last build and then moves the files over.
  buildDirectory: process.env.BUILD_FOLDER ?? 'build',
  // A page brings its own routes and asks for those of its links once it runs: the list of all is 11 KB packed.
  routeDiscovery: { mode: 'lazy' },
  // Our own origin check stands before the router (http/origin-check.server.ts). The router's compares the scheme too,
  // which is not the visitor's behind a proxy that ends HTTPS.
  allowedActionOrigins: ['**'],
} satisfies Config;
