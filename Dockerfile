FROM node:24.21.0-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund

# The web pages are built with development packages, of which nothing but the result goes on.
FROM node:24.21.0-bookworm-slim AS pages
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY openapi ./openapi
COPY src ./src
COPY web ./web
RUN npm run build:web

FROM node:24.21.0-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATABASE_URL=sqlite:/data/grounding-eval.db
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
COPY LICENSE package.json ./
COPY sample ./sample
COPY src ./src
COPY --from=pages /app/dist/web ./dist/web
# All that is ever written: without PostgreSQL, the database. The rest may be mounted read-only.
RUN mkdir /data && chown node:node /data
VOLUME /data
USER node
EXPOSE 8080
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/live`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=8", "--require", "./src/node-guard.cjs", "--env-file-if-exists=.env", "src/server.ts"]
