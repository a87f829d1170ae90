"""The page as a web application that serves this machine only and makes no requests to others."""

from __future__ import annotations

import gradio as gr
import uvicorn
from fastapi import FastAPI
from fastapi.middleware.trustedhost import TrustedHostMiddleware

from augcse.playing.page import page
from augcse.playing.session import Session
from augcse.resources import PLAY_STYLE

_SHUTDOWN_TIMEOUT_S = 1
# System fonts: Gradio's own are downloaded.
_FONTS = {"font": ("system-ui", "sans-serif"), "font_mono": ("ui-monospace", "monospace")}
# White text on Gradio's default blue has too little contrast.
_BUTTON = {"button_primary_background_fill": "*primary_700", "button_primary_background_fill_hover": "*primary_800"}


def server(session: Session, port: int) -> uvicorn.Server:
    """Return a server for the page, not yet running."""
    # Against DNS rebinding: a foreign page could resolve its own host name to this machine and read the answers.
    application = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    application.add_middleware(TrustedHostMiddleware, allowed_hosts=["127.0.0.1", "localhost"])
    gr.mount_gradio_app(
        application,
        page(session),
        path="/",
        server_name="127.0.0.1",
        server_port=port,
        footer_links=[],
        run_history=False,
        ssr_mode=False,
        enable_monitoring=False,
        pwa=False,
        mcp_server=False,
        theme=gr.themes.Base(**_FONTS).set(**_BUTTON),
        css=PLAY_STYLE.read_text("utf-8"),
    )
    return uvicorn.Server(uvicorn.Config(application, log_level="critical", timeout_graceful_shutdown=_SHUTDOWN_TIMEOUT_S))
