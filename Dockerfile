# An image that serves models, from the files of the package alone: npm pack, unpack, docker build.
#   docker build -t tierwise .
#   docker run --rm -p 8080:8080 -e TIERWISE_TOKEN=... -v ./models:/models:ro tierwise /models/ranker.json
FROM node:22-slim
WORKDIR /app
COPY package.json /package/
COPY dist /package/dist
# As a dependency of an empty project: for the package itself the packages of the server are for development, and npm would leave them out.
RUN npm install --install-links --ignore-scripts --no-audit --no-fund /package fastify@5 @fastify/swagger@9 typebox@1 \
    && rm -r /package
USER node
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK CMD node -e "fetch('http://127.0.0.1:8080/healthz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"
ENTRYPOINT ["node", "/app/node_modules/tierwise/dist/src/cli/main.js", "serve", "--host", "0.0.0.0"]
