"""Addresses of what is told elsewhere: the outbox, a post, a place."""

from django.urls import path

from web.views import posts, threads

urlpatterns = [
    path("c/<str:ref>/posts/", posts.posts, name="posts"),
    path("c/<str:ref>/posts/<int:number>/", posts.post, name="post"),
    path("c/<str:ref>/threads/new/", threads.new, name="new_thread"),
    path("c/<str:ref>/threads/<int:pk>/", threads.thread, name="thread"),
]
