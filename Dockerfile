# syntax=docker/dockerfile:1.7@sha256:a57df69d0ea827fb7266491f2813635de6f17269be881f696fbfdf2d83dda33e
# The whole service in one image: `server.mjs` (API, site, scheduled job), `facilitator.mjs` (settles payments), and `migrate.mjs`
# (brings the database to this version, then ends). `bucket.mjs` prepares the object store of compose.yaml.
ARG NODE_IMAGE=node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6

FROM ${NODE_IMAGE} AS build
WORKDIR /src
# Bundling needs no package's install script, and none is run.
COPY package.json package-lock.json ./
COPY client/package.json client/
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts --no-audit --no-fund
COPY . .
# What the build of the site reads: its address, and what it shows and calls; see docs/deploy.md.
ARG PUBLIC_ORIGIN=""
ARG NEXT_PUBLIC_MEDIA_ORIGIN=""
ARG NEXT_PUBLIC_CONTACT=""
ARG NEXT_PUBLIC_WALLETCONNECT_PROJECT_ID=""
ARG NEXT_PUBLIC_ETHEREUM_RPC_URL=""
ARG NEXT_PUBLIC_SEPOLIA_RPC_URL=""
ARG NEXT_PUBLIC_BASE_RPC_URL=""
ARG NEXT_PUBLIC_BASE_SEPOLIA_RPC_URL=""
ARG NEXT_PUBLIC_AIC_TOKEN_ADDRESS=""
ARG NEXT_PUBLIC_AIC_STAKING_ADDRESS=""
ARG NEXT_PUBLIC_AIC_PAYMENT_TOKEN_ADDRESS=""
RUN npm run build && npm run build -- node

FROM ${NODE_IMAGE} AS run
ARG VERSION="unversioned"
ARG REVISION="unknown"
LABEL org.opencontainers.image.title="Coinslot" \
      org.opencontainers.image.description="Pay-per-use AI inference: one signature, one cent, one result." \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
ENV NODE_ENV=production \
    NODE_OPTIONS=--enable-source-maps \
    PORT=3000
WORKDIR /app
# Everything belongs to root and nothing is ever written: run with a read-only root.
COPY --from=build /src/dist/ ./
# The image's own user `node`, by number, so that a host which forbids root can tell.
USER 1000:1000
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/api/health', { signal: AbortSignal.timeout(4000) }).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node"]
CMD ["server.mjs"]
