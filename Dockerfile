# docker build -t bowerbird .        How to run it: compose.yaml and docs/operating.md.
FROM node:24-bookworm-slim AS build
WORKDIR /srv/bowerbird
# Apart from the sources, so that a change of the sources does not install everything anew.
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build && npm prune --omit=dev

FROM node:24-bookworm-slim
RUN useradd --system --home-dir /data --shell /usr/sbin/nologin --uid 10001 bowerbird \
    && install -d -o bowerbird -g bowerbird -m 700 /data
WORKDIR /srv/bowerbird
# Owned by root: the program cannot change itself.
COPY --from=build /srv/bowerbird ./
USER bowerbird
ENV NODE_ENV=production PORT=3000 DATA_DIR=/data
VOLUME /data
EXPOSE 3000
# Alive, not ready: a program whose database is away recovers by itself and must not be replaced.
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
    CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Without a shell or npm in between, SIGTERM reaches the program.
CMD ["node", "scripts/start.ts"]
